#!/bin/bash
# Examples of rt-app, run for real beside their simulation; needs rt-app, root and a quiet
# machine.
exec python3 "$(dirname "$0")/../oracle/rtapp_live.py"
