"""What ties the machine, the exact answers and the simulator together."""
