"""What a run did: report, plan, trace, lost pages."""
