"""The files of a run: report, plan, trace, lost pages."""
