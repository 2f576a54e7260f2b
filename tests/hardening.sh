#!/bin/sh
# hardening.sh: what programs have against mistakes of ours, as their files tell.
#
#   tests/hardening.sh build/release/mapwrightd ...
set -u
failed=
must() { # what, program, pattern, words of readelf
    what=$1 program=$2 pattern=$3
    shift 3
    readelf -W "$@" "$program" 2>/dev/null | grep -Eq "$pattern" && return
    echo "$program: $what is missing"
    failed=1
}
for program in "$@"; do
    must "a place of its own in memory (PIE)" "$program" 'Type: +DYN' -h
    must "the mark of a program with it" "$program" 'FLAGS_1.*PIE' -d
    must "read-only relocations (RELRO)" "$program" 'GNU_RELRO' -l
    must "all of them, at once (BIND_NOW)" "$program" 'FLAGS.*(BIND_NOW|NOW)' -d
    must "a stack that is no program" "$program" 'GNU_STACK.* RW +0x' -l
    must "the stack protector" "$program" '__stack_chk_fail' --dyn-syms
    must "checked copies (FORTIFY)" "$program" '__[a-z]+_chk@' --dyn-syms
done
[ -z "$failed" ] && echo "hardening: $# programs have PIE, RELRO, BIND_NOW, a stack protector and FORTIFY"
