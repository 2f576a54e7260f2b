# Completion of bash for mapwright and mapwrightd. All names and values come from the programs.

_mapwright() {
    local line=${COMP_LINE:0:COMP_POINT} word generator= previous
    # bash splits words at `=`; here they are as typed
    local typed=${line##*[[:space:]]}
    local -a before
    read -ra before <<<"${line%"$typed"}"
    previous=${before[-1]}
    for word in "${before[@]:1}"; do
        [[ $word == [a-z]* && -z $generator ]] && mapwright list | grep -q "^$word " && generator=$word
    done
    if [[ $previous == -o || $previous == --output ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$typed")
    elif [[ $typed == --output=* ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "${typed#*=}")
    elif [[ $typed == -o?* ]]; then
        mapfile -t COMPREPLY < <(compgen -P -o -f -- "${typed#-o}")
    elif [[ $typed == *=@* ]]; then
        mapfile -t COMPREPLY < <(compgen -P @ -f -- "${typed#*=@}")
    elif [[ $typed == *=* ]]; then
        word=${typed%%=*}
        mapfile -t COMPREPLY < <(compgen -W "$(_mapwright_values "$generator" "${word#--}")" -- "${typed#*=}")
    elif [[ $previous == --* ]] && word=$(_mapwright_values "$generator" "${previous#--}") && [[ -n $word ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$word" -- "$typed")
    elif [[ $typed == -* ]]; then
        compopt -o nospace
        mapfile -t COMPREPLY < <(compgen -W "--help --json --memory= --output= --version
            $(_mapwright_names "$generator" | sed 's/.*/--&=/')" -- "$typed")
    elif [[ -z $generator ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(mapwright list | cut -d' ' -f1) list" -- "$typed")
    else
        compopt -o nospace
        mapfile -t COMPREPLY < <(compgen -S = -W "$(_mapwright_names "$generator")" -- "$typed")
    fi
}

# The parameters of a generator.
_mapwright_names() {
    [[ -z $1 ]] || mapwright "$1" --help | sed -nE '/^Formats:/q; s/^  ([a-z_]+).*/\1/p'
}

# The values of a parameter, if it has a few.
_mapwright_values() {
    if [[ -z $1 ]]; then
        return
    elif [[ $2 == format ]]; then
        mapwright "$1" --help | sed -n '/^Formats:/,/^$/s/^  \([a-z]*\) .*/\1/p'
    else
        mapwright "$1" --help |
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
