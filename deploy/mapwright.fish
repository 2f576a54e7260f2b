# Completion of fish for mapwright. All names and values come from the program.

# The generator on the command line; fails if there is none.
function __mapwright_generator
    set -l generators (mapwright list | string replace -r ' .*' '')
    for word in (commandline -opc)[2..]
        contains -- $word $generators && echo $word && return
    end
    return 1
end

# `name=`, or `name=value` for each value if there are a few; "$argv" stands before them.
function __mapwright_parameters
    set -l generator (__mapwright_generator) || return
    set -l formats no
    for line in (mapwright $generator --help)
        string match -q 'Formats:' -- $line && set formats yes
        if test $formats = yes
            string replace -rf -- '^  ([a-z]+) .*' "$argv"'format=$1' $line
            continue
        end
        set -l name (string replace -rf '^  ([a-z_]+).*' '$1' -- $line) || continue
        set -l values (string match -rg '^  [a-z_]+(?:=[^ ]*)? +((?:[a-z-]+, )*[a-z-]+ or [a-z-]+)$' -- $line | string replace -a ' or ' ', ')
        if test -n "$values"
            printf '%s\n' "$argv$name="(string split ', ' -- $values)
        else
            echo "$argv$name="
        end
    end
end

complete -c mapwright -f
complete -c mapwright -n 'not __mapwright_generator >/dev/null' -a '(mapwright list | string replace -r " +" \t)'
complete -c mapwright -n 'not __mapwright_generator >/dev/null' -a list -d 'the generators'
complete -c mapwright -n '__mapwright_generator >/dev/null' -a '(__mapwright_parameters)'
complete -c mapwright -n '__mapwright_generator >/dev/null; and string match -q -- "--*" (commandline -ct)' -a '(__mapwright_parameters --)'
complete -c mapwright -s o -l output -rF -d 'write to a file'
complete -c mapwright -l memory -x -d 'most memory that a map may take'
complete -c mapwright -l json -d 'of list: all tables, for programs'
complete -c mapwright -s h -l help -d 'help, or that of a generator'
complete -c mapwright -s V -l version -d 'the version'
