"""What works on this machine with these settings."""

from ragcrawler.maintenance.doctor.finding import Finding, Named
from ragcrawler.maintenance.doctor.probes import PROBES, run_probes
from ragcrawler.maintenance.doctor.secrets import Mask

__all__ = ["PROBES", "Finding", "Mask", "Named", "run_probes"]
