# What the command tests share; sourced, never run. $SIBYL is the binary.
: "${SIBYL:?}"
tmp=$(mktemp -d /tmp/sibyl-cli.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
failed=0
checked=0

ok() { checked=$((checked + 1)); }
bad() {
	failed=$((failed + 1))
	echo "FAILED: $*"
}

# same WHAT EXPECTED GOT
same() {
	if [ "$2" = "$3" ]; then ok; else bad "$1: expected '$2', got '$3'"; fi
}

# fails STATUS PATTERN ARGUMENT...: exactly one line on stderr, of our form, that matches.
fails() {
	local want=$1 pattern=$2 got lines
	shift 2
	timeout 60 "$SIBYL" "$@" >out 2>err </dev/null
	got=$?
	lines=$(wc -l <err)
	if [ $got != "$want" ]; then
		bad "sibyl $*: status $got, expected $want; $(head -c 600 err)"
	elif [ "$lines" != 1 ]; then
		bad "sibyl $*: $lines lines on stderr, expected 1; $(head -c 600 err)"
	elif ! grep -q '^sibyl: ' err; then
		bad "sibyl $*: no 'sibyl: ' in $(head -c 600 err)"
	elif ! grep -qE -- "$pattern" err; then
		bad "sibyl $*: no '$pattern' in $(head -c 600 err)"
	elif [ "$(wc -c <err)" -gt 1400 ]; then
		bad "sibyl $*: a line of $(wc -c <err) bytes"
	else
		ok
	fi
}

# works ARGUMENT...: status 0 and nothing on stderr; the output is left in "out".
works() {
	local got
	timeout 120 "$SIBYL" "$@" >out 2>err </dev/null
	got=$?
	if [ $got != 0 ] || [ -s err ]; then
		bad "sibyl $*: status $got; $(head -c 600 err)"
		return 1
	fi
	ok
}

finish() {
	echo "$checked fine, $failed failed"
	[ "$failed" = 0 ]
	exit
}
