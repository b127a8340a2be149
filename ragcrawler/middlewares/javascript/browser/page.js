// Run in the page: one function a name. A page can replace everything that is called here; what comes out is as
// trustworthy as the page itself, and the time that it takes is bounded from outside.
([name, argument]) => {
  const label = (element) =>
    (element.textContent.trim() || element.getAttribute("aria-label") || element.value || "").trim();

  // Neither a link to elsewhere, nor part of a form.
  const isHarmless = (element) => {
    const link = element.closest("a[href]");
    return !element.form && !element.closest("form") && !(link && !link.getAttribute("href").startsWith("#"));
  };

  // Puts shadow trees where they are seen: they are not part of a document's text else.
  const flatten = (root) => {
    for (const host of root.querySelectorAll("*")) {
      const shadow = host.shadowRoot;
      if (!shadow) continue;
      flatten(shadow);
      for (const slot of shadow.querySelectorAll("slot")) {
        const assigned = slot.assignedNodes();
        slot.replaceWith(...(assigned.length ? assigned : slot.childNodes));
      }
      host.replaceChildren(...shadow.childNodes);
    }
  };

  const number = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);

  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.backgroundImage !== "none" || style.backgroundClip === "text") return null;
      const colour = number(style.backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };

  const hasOwnText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  // By what is computed, whatever style sheet says it.
  const isUnseen = (element) => {
    const style = getComputedStyle(element);
    // What fades in as one scrolls is not hidden.
    const fades = style.transitionDuration !== "0s" || style.animationName !== "none";
    if (style.display === "none" || (parseFloat(style.opacity) < 0.05 && !fades)) return true;
    if (style.contentVisibility === "hidden") return true;
    const box = element.getBoundingClientRect();
    const isFarOut = box.right + scrollX < 0 || box.bottom + scrollY < 0;
    if (isFarOut && (box.width || box.height)) return true;
    if (element.firstElementChild) return false;
    if (style.visibility !== "visible" || parseFloat(style.fontSize) < 1) return true;
    const colour = number(style.color);
    const background = hasOwnText(element) ? behind(element) : null;
    if (!background) return false;
    return colour[3] === 0 || colour.slice(0, 3).every((value, index) => Math.abs(value - background[index]) < 10);
  };

  // Marks what no reader sees; what a control opens is left alone.
  const markHidden = () => {
    const controls = ["aria-controls", "data-target", "data-bs-target", "popovertarget"];
    const controlled = new Set(controls.flatMap((name) => [...document.querySelectorAll(`[${name}]`)].flatMap(
      (element) => element.getAttribute(name).split(/\s+/).map((id) => id.replace(/^#/, "")))));
    const isLeft = (element) => controlled.has(element.id) || element.matches(
      "[role=tabpanel], .tab-pane, [hidden=until-found], details, script, style, template, noscript");
    const pending = document.body ? [...document.body.children] : [];
    while (pending.length) {
      const element = pending.pop();
      if (isLeft(element)) continue;
      if (isUnseen(element)) element.setAttribute("data-ragcrawler-hidden", "");
      else pending.push(...element.children);
    }
  };

  const actions = {
    // From now on no button leads away: a navigation, even one that fails, ends what the page is loading.
    stay: () => window.navigation.addEventListener("navigate", (event) => {
      if (event.cancelable && !event.destination.sameDocument) event.preventDefault();
    }),

    // Resolves when nothing has changed for a while, or things have changed for ten times as long: a clock.
    quiet: (milliseconds) => new Promise((resolve) => {
      let timer = setTimeout(done, milliseconds);
      setTimeout(done, 10 * milliseconds);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(done, milliseconds);
      });
      function done() {
        observer.disconnect();
        resolve();
      }
      observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
    }),

    // Says no to cookies where that can be said, else yes; gives the number of buttons pressed.
    dismissConsent: () => {
      const containers = [...document.querySelectorAll(
        "[id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i], [id*=gdpr i], [class*=gdpr i]," +
        "[id*=cmp i][role], [role=dialog], [role=alertdialog], [aria-modal=true], dialog[open]")];
      const topics = /cookie|consent|privacy|tracking|datenschutz|einwillig|confidentialit|privacidad|gdpr|rgpd/i;
      const words = [
        /^(reject|decline|refuse|deny|disagree|no,? thanks)\b|^(only |use |accept )?(necessary|essential|required)\b/i,
        /^(alle )?(ablehnen|verweigern)|^nur (notwendige|erforderliche)|^(tout )?refuser|^rechazar|^rifiuta|^weiger/i,
        /^(accept|agree|allow|i agree|ok\b|okay|got it|understood|continue|close|dismiss|×|✕)/i,
        /^(alle )?(akzeptieren|zustimmen|einverstanden|verstanden)|^(tout )?accepter|^aceptar|^accett|^akkoord/i,
      ];
      const buttons = containers.slice(0, 50)
        .filter((container) => topics.test(container.textContent.slice(0, 5000)))
        .flatMap((container) => [...container.querySelectorAll("button, [role=button], input[type=button]")])
        .filter(isHarmless);
      for (const word of words) {
        const button = buttons.find((each) => word.test(label(each)));
        if (button) {
          button.click();
          return 1;
        }
      }
      return 0;
    },

    // Opens what is folded in the main part of the page; gives the number of sections opened.
    expand: (limit) => {
      const main = document.querySelector("main, [role=main], article, #content") || document.body;
      let opened = 0;
      for (const details of main.querySelectorAll("details:not([open])")) {
        if (opened++ >= limit) return limit;
        details.open = true;
      }
      const outside = "nav, header, footer, aside, [role=navigation], [role=menu], [role=menubar], [role=toolbar]";
      for (const button of main.querySelectorAll("[aria-expanded=false]")) {
        if (button.closest(outside) || button.hasAttribute("aria-haspopup") || !isHarmless(button)) continue;
        if (button.matches("input, select, textarea, [role=combobox], [role=listbox]")) continue;
        if (opened++ >= limit) return limit;
        button.click();
      }
      return opened;
    },

    // Lists that load on when their end comes into sight get one chance; observers are told with the next frame.
    scroll: (milliseconds) => new Promise((resolve) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      setTimeout(resolve, milliseconds);
    }),

    // The document as it is seen now, scripts left out; null where it is longer than the limit.
    content: (limit) => {
      markHidden();
      flatten(document);
      const programs = "noscript, script:not([type]), script[type*=javascript], script[type=module]";
      document.querySelectorAll(programs).forEach((element) => element.remove());
      const html = (document.doctype ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML;
      return html.length > limit ? null : html;
    },
  };

  return actions[name](argument);
}
