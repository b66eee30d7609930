# A command line as zsh leaves it after the tabulator, in a terminal of its own.
# usage: complete.zsh FOLDER TEXT
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D
show() { print -r -- \"<\$BUFFER>\" }; zle -N show; bindkey '^I' expand-or-complete; bindkey '^X' show; print REA''DY"
zpty -r z out '*READY*'
zpty -n -w z "$2"$'\t\x18'
zpty -r z out '*<fftgen*>*'
out=${out##*<} out=${out%%>*}
print -r -- $out
zpty -d z
