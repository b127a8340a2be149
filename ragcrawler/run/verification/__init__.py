"""Is the collection whole? Every point held against the catalogue, and mended where it is not right."""

from ragcrawler.run.verification.adoption import enter_documents
from ragcrawler.run.verification.faults import Fault, FaultKind
from ragcrawler.run.verification.repair import Repairs, repair
from ragcrawler.run.verification.walk import DocumentFaults, Walk

__all__ = ["DocumentFaults", "Fault", "FaultKind", "Repairs", "Walk", "enter_documents", "repair"]
