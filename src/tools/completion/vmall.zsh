#compdef vmctl vmsim
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of vmctl and vmsim, which say themselves what there is to complete.

_vmall_subcommands() { # PROGRAM
    "$1" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p'
}

_vmall_options() { # PROGRAM [SUBCOMMAND]
    "$1" ${2:+"$2"} --help |
        sed -nE 's/^ +(-.,)?(--[a-z-]+).*  +([^ ].*)$/\2:\3/p; t; s/^ +(-.,)?(--[a-z-]+).*/\2/p'
}

_vmall_values() { # PROGRAM SUBCOMMAND OPTION: those that its help names
    "$1" "$2" --help | sed -nE "s/^ +(-.,)?$3 [^ ]*\{(.*)\}.*/\2/p" | tr , '\n'
}

_vmall() {
    local program=$words[1] subcommand= option=
    local -a offered
    (( CURRENT == 2 )) || subcommand=$words[2]
    if [[ $PREFIX == --*=* ]]; then
        option=${PREFIX%%=*}
        compset -P '*='
    elif [[ $PREFIX == -* ]]; then
        offered=(${(f)"$(_vmall_options "$program" "$subcommand" 2>/dev/null)"})
        _describe option offered
        return
    elif [[ $words[CURRENT-1] == -* ]]; then
        option=$words[CURRENT-1]
    fi
    case $program:t,$subcommand,$option in
    *,,*)
        offered=(${(f)"$(_vmall_subcommands "$program" 2>/dev/null)"})
        _describe command offered
        ;;
    vmctl,set,)
        [[ $PREFIX == *=* ]] && return
        offered=(${(f)"$(timeout 1 "$program" config -n 2>/dev/null | sed 's/ .*//')"})
        compadd -S = -- $offered
        ;;
    vmsim,run,-p | vmsim,run,--policy)
        compset -P '*,'
        offered=(${(f)"$("$program" policies 2>/dev/null | sed 's/  */:/')"})
        _describe policy offered
        ;;
    *)
        [[ $option == --* ]] && offered=(${(f)"$(_vmall_values "$program" "$subcommand" "$option" 2>/dev/null)"})
        if (( $#offered )); then
            compadd -- $offered
        elif [[ $program:t == vmsim || $subcommand,$option == timeline,--out ]]; then
            _files
        fi
        ;;
    esac
}

_vmall "$@"
