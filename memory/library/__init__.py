"""What generated code may import (`uac`), the project everyone shares, and the reference tables."""
