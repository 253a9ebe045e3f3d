"""What every REST door shares: problem details, strict input, bounded bodies, cursor pages."""
