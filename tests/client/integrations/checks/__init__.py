"""What each adapter must do, as checks that run where the frameworks are installed, next to a running server."""
