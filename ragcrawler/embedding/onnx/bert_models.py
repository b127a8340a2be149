"""The two models that are made of a BERT."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.onnx.bert_graph import BertGraph
from ragcrawler.embedding.onnx.safetensors_file import Tensors

if TYPE_CHECKING:
    from onnx import ModelProto


def encoder_model(
    tensors: Tensors, config: Mapping[str, Any], arithmetic: type[BertGraph] = BertGraph
) -> "ModelProto":
    """A model whose `last_hidden_state` has the shape (texts, tokens, hidden_size).

    Args:
        tensors: the weights, under their usual names, with or without the prefix `bert.`.
        config: the model's `config.json`.
        arithmetic: `BertGraph` for 32-bit numbers, `Int8BertGraph` for 8-bit ones.
    """
    bert = arithmetic(tensors, config)
    return bert.graph.model(bert.encoder(), "last_hidden_state", config["hidden_size"])


def masked_language_model(
    tensors: Tensors, config: Mapping[str, Any], arithmetic: type[BertGraph] = BertGraph
) -> "ModelProto":
    """A model whose `logits` have the shape (texts, tokens, vocab_size); a SPLADE pools these."""
    bert = arithmetic(tensors, config)
    return bert.graph.model(bert.vocabulary_head(bert.encoder()), "logits", config["vocab_size"])
