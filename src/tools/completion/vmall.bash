# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of vmctl and vmsim, which say themselves what there is to complete.

_vmall_words() { # PROGRAM SUBCOMMAND WORD BEFORE: what can stand in the place of WORD, which follows BEFORE
    case $3,$1,$2,$4 in
    -*) "$1" ${2:+"$2"} --help | sed -nE 's/^ +(-.,)?(--[a-z-]+).*/\2/p' ;;
    *,,*) "$1" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z]*\) .*/\1/p' ;;
    *,*vmctl,set,[!=-]*) timeout 1 "$1" config -n | sed 's/ .*/=/' ;;
    *,*vmsim,run,-p | *,*vmsim,run,--policy) "$1" policies | cut -d ' ' -f 1 ;;
    *,--*) "$1" "$2" --help | sed -nE "s/^ +(-.,)?$4 [^ ]*\{(.*)\}.*/\2/p" | tr , ' ' ;;
    esac 2>/dev/null
}

_vmall() {
    local word=$2 before=$3 list subcommand=
    ((COMP_CWORD == 1)) || subcommand=${COMP_WORDS[1]}
    # Bash takes --option=value and KEY=VALUE apart at the equals sign.
    case $subcommand,${COMP_WORDS[COMP_CWORD]},$before in
    set,=,*) before='=' ;;
    set,*) ;;
    *,=) before=${COMP_WORDS[COMP_CWORD - 2]} ;;
    esac
    list=${word%"${word##*,}"}
    mapfile -t COMPREPLY < <(
        compgen -P "$list" -W "$(_vmall_words "$1" "$subcommand" "$word" "$before")" -- "${word#"$list"}"
    )
    [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
    [[ $subcommand,$before != timeline,--out ]] || compopt -o default
}

complete -F _vmall vmctl
complete -F _vmall -o default vmsim
