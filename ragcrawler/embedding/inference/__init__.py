"""Run local models with fastembed."""
