#!/bin/sh
# The example on a real recording: a picture of the right kind and of some
# content; wrong input is refused. usage: spectrogram.sh SPECTROGRAM
set -u
spectrogram=$1
recording=/usr/share/sounds/alsa/Front_Center.wav
if [ ! -f $recording ]; then
  echo "SKIP: no $recording (package alsa-utils)"
  exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() {
  bad=1
  echo "FAIL: $*"
}
"$spectrogram" "$recording" "$dir/a.png" || fail 'it failed'
[ "$(head -c 4 "$dir/a.png" | tail -c 3)" = PNG ] || fail 'no PNG'
# Noise does not compress, an empty picture does.
[ "$(wc -c <"$dir/a.png")" -gt 100000 ] || fail 'the picture is nearly empty'
"$spectrogram" "$dir/a.png" "$dir/b.png" 2>/dev/null && fail 'took a picture for a recording'
"$spectrogram" "$recording" "$dir/none/b.png" 2>/dev/null && fail 'wrote into a folder that is not there'
exit $bad
