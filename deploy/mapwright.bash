# Completion of bash for mapwright and mapwrightd: generators, their parameters and choices, settings.
# All of it comes from the programs themselves.

_mapwright() {
    local word=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} generator=
    # `=` is a break for bash; the word as it was typed is wanted
    local typed=${line##*[[:space:]]}
    [[ $COMP_CWORD -gt 1 ]] && generator=${COMP_WORDS[1]}
    compopt -o nospace
    if [[ $typed == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '--help --json --memory= --output= --version' -- "$typed")
    elif [[ -z $generator ]]; then
        compopt +o nospace
        mapfile -t COMPREPLY < <(compgen -W "$(mapwright list | cut -d' ' -f1) list" -- "$word")
    elif [[ $typed == *=@* ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "${typed#*=@}")
        COMPREPLY=("${COMPREPLY[@]/#/@}")
    elif [[ $typed == *=* ]]; then
        compopt +o nospace
        mapfile -t COMPREPLY < <(compgen -W "$(_mapwright_values "$generator" "${typed%%=*}")" -- "${typed#*=}")
    else
        mapfile -t COMPREPLY < <(compgen -S = -W "$(mapwright "$generator" --help 2>/dev/null |
            sed -nE 's/^  ([a-z_]+).*/\1/p' | sed '/^json$/,$d')" -- "$word")
    fi
}

# What may stand behind `name=`, where it is one of a few.
_mapwright_values() {
    if [[ $2 == format ]]; then
        mapwright "$1" --help 2>/dev/null | sed -n '/^Formats:/,/^$/s/^  \([a-z]*\) .*/\1/p'
    else
        mapwright "$1" --help 2>/dev/null |
            sed -nE "s/^  $2(=[^ ]*)? +(([a-z-]+, )*[a-z-]+ or [a-z-]+)(, required)?\$/\\2/p" | sed 's/, / /g; s/ or / /'
    fi
}

_mapwrightd() {
    local typed=${COMP_LINE:0:COMP_POINT}
    typed=${typed##*[[:space:]]}
    compopt -o nospace
    [[ $typed == *=* ]] ||
        mapfile -t COMPREPLY < <(compgen -W "$(mapwrightd --help | sed -nE 's/^  (--[a-z-]+=?).*/\1/p')" -- "$typed")
}

complete -F _mapwright mapwright
complete -F _mapwrightd mapwrightd
