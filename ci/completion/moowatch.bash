# bash completion of moowatch: commands and options come from the program itself.
_moowatch() {
    local current=${COMP_WORDS[COMP_CWORD]} words
    if [ "$COMP_CWORD" = 1 ]; then
        words=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
    elif [[ $current == -* ]]; then
        words=$("${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --help 2>/dev/null |
            sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')
    elif [ "${COMP_WORDS[1]}" = project ] && [ "$COMP_CWORD" = 2 ]; then
        words=check
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [ ${#COMPREPLY[@]} = 0 ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _moowatch moowatch
