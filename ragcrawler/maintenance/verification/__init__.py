"""Is the collection whole? Every point held against the catalogue, and mended where it is not right."""

from ragcrawler.maintenance.verification.faults import Fault, FaultKind
from ragcrawler.maintenance.verification.index_scan import DocumentFaults, IndexScan
from ragcrawler.maintenance.verification.record_recovery import recover_records
from ragcrawler.maintenance.verification.repair import Repairs, repair

__all__ = ["DocumentFaults", "Fault", "FaultKind", "IndexScan", "Repairs", "recover_records", "repair"]
