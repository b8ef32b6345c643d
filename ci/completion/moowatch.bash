# bash completion of moowatch, moowatchd and moowatch-runner: commands and options come from the
# programs themselves.
_moowatch_options() { # program [command]
    "$@" --help 2>/dev/null | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}
_moowatch() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} words=
    if [ "$COMP_CWORD" = 1 ]; then
        words=$("$program" --help 2>/dev/null |
            sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p; s/^ *moowatch[a-z-]* \([a-z]\{1,\}\) .*/\1/p')
        [[ $current == -* ]] && words=$(_moowatch_options "$program")
    elif [[ $current == -* && $command == -* ]]; then
        words=$(_moowatch_options "$program")
    elif [[ $current == -* ]]; then
        words=$(_moowatch_options "$program" "$command")
    elif [ "$COMP_CWORD" = 2 ]; then
        case $command in
        project) words=check ;;
        token) words='add list revoke' ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [ ${#COMPREPLY[@]} = 0 ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _moowatch moowatch moowatchd moowatch-runner
