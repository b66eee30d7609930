# What bash offers for a command line. usage: complete.bash SCRIPT WORD...
# The last word is the one to be completed; bash cuts words at =.
. "$1"
shift
compopt() { :; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_fftgen
echo ${COMPREPLY[@]}
