#!/bin/sh
# Keys, signatures of packs, and what is said of packs that are not as they were signed.
# usage: pack_sign.sh FFTGEN [minisign]: with the second word against Debian's program of that name
set -eu
fftgen=$1
if [ "${2:-}" = minisign ] && ! command -v minisign >/dev/null 2>&1; then
  echo 'SKIP: no minisign here (package minisign)'
  exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export FFTGEN_WISDOM="$dir/none.jsonl"
umask 022
fail() { echo "FAIL: $*"; exit 1; }
# says CODE TEXT ARGUMENTS...: fftgen pack ends with that code, and its one line of complaint has that text.
says() {
  code=$1 text=$2 got=0
  shift 2
  "$fftgen" pack "$@" >out 2>err || got=$?
  [ "$got" = "$code" ] || fail "exit code $got instead of $code of pack $*: $(cat out err)"
  if [ "$code" = 0 ]; then cat out; else cat err; fi | grep -qF -- "$text" || fail "pack $* says: $(cat out err)"
  [ "$code" = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "pack $* complains in more than a line: $(cat err)"
}
# A folder and an archive to damage, fresh each time.
fresh() {
  rm -rf kernels kernels.* && cp -R safe/. .
}
flip() { # FILE: its byte 100 becomes another one
  byte=$(od -An -tu1 -j100 -N1 "$1" | tr -d ' ')
  printf "\\$(printf %03o $(((byte + 1) % 256)))" | dd of="$1" bs=1 seek=100 conv=notrunc 2>/dev/null
}

# --- keys: made once, the secret one for its owner alone
(umask 0 && "$fftgen" pack --new-key mine >out)
[ "$(stat -c %a mine.key)" = 600 ] || fail "mode of mine.key: $(stat -c %a mine.key)"
cp mine.key before.key && cp mine.pub before.pub && chmod 600 before.key
says 2 'mine.key: it is there already' --new-key mine
rm mine.key
says 2 'mine.pub: it is there already' --new-key mine
[ ! -e mine.key ] || fail 'a secret key without its public one is left'
cp -p before.key mine.key
cmp mine.pub before.pub || fail 'a public key was overwritten'
ln -s elsewhere.key link.key
says 2 'link.key: it is there already' --new-key link
[ ! -e elsewhere.key ] || fail 'a key was written through a link'
says 1 'none/mine.key: cannot write' --new-key none/mine
"$fftgen" pack --new-key other >out
! cmp -s mine.key other.key || fail 'two keys are the same'

# --- packs: signed when they are made, or later
says 0 'kernels.manifest.minisig: signed by' 'c2c f32 n=4' 'c2c f32 n=8' --isa scalar -o kernels --sign mine.key
says 0 'kernels.tar.minisig: signed by' 'c2c f32 n=4' --isa scalar -o kernels.tar --sign mine.key
mkdir safe && cp -R kernels kernels.* safe
if [ "${2:-}" = minisign ]; then
  # Their program takes our keys and signatures, and ours theirs.
  for file in kernels.tar kernels.manifest; do
    minisign -Vq -p mine.pub -m $file || fail "minisign refuses our signature of $file"
    ! minisign -Vq -p other.pub -m $file 2>/dev/null || fail "minisign takes another key for $file"
    rm $file.minisig
    minisign -S -s mine.key -m $file -x $file.minisig >out 2>&1 </dev/null || fail "minisign refuses our key: $(cat out)"
  done
  says 0 'not altered' --verify mine.pub kernels.tar
  says 0 'not altered' --verify mine.pub kernels
  minisign -G -W -p theirs.pub -s theirs.key >out 2>&1 </dev/null || fail "minisign -G -W: $(cat out)"
  chmod 600 theirs.key
  says 0 'signed by' --sign theirs.key -o kernels.tar
  minisign -Vq -p theirs.pub -m kernels.tar || fail 'minisign refuses our signature by its key'
  printf 'word\nword\n' | minisign -G -p locked.pub -s locked.key >out 2>&1 || fail "minisign -G: $(cat out)"
  chmod 600 locked.key
  says 2 'this key has a password' --sign locked.key -o kernels.tar
  exit 0
fi
says 0 'not altered' --verify mine.pub kernels
says 0 'not altered' --verify mine.pub "$dir/kernels//"
says 0 'not altered' --verify mine.pub kernels.tar
says 0 'signed by' --sign mine.key -o kernels
says 0 'signed by' --sign mine.key -o kernels.tar
for file in kernels.manifest kernels.manifest.minisig kernels.tar.minisig; do
  cmp $file safe/$file || fail "$file: the same pack and key, another signature"
done

# --- verify: an altered pack
fresh
so=$(cd kernels && ls *.so | head -1)
flip "kernels/$so"
says 3 "kernels/$so: this file was altered" --verify mine.pub kernels
fresh
mv "kernels/$so" kernels/0.so
says 3 'kernels/0.so: this file was not signed' --verify mine.pub kernels
fresh
mv "kernels/$so" kernels/zzz.so
says 3 "kernels/$so: this file is missing" --verify mine.pub kernels
fresh
rm "kernels/$so"
says 3 "kernels/$so: this file is missing" --verify mine.pub kernels
for extra in zzz.so .hidden; do
  fresh
  : >kernels/$extra
  says 3 "kernels/$extra: this file was not signed" --verify mine.pub kernels
done
fresh
echo >>kernels/pack.jsonl
says 3 'kernels/pack.jsonl: this file was altered' --verify mine.pub kernels
fresh
mv "kernels/$so" real.so && ln -s ../real.so "kernels/$so"
says 3 "kernels/$so: not a regular file" --verify mine.pub kernels
says 2 "kernels/$so: not a regular file" --sign mine.key -o kernels
fresh
mkfifo kernels/pipe
says 3 'kernels/pipe: not a regular file' --verify mine.pub kernels
fresh
flip kernels.tar
says 3 'kernels.tar: altered' --verify mine.pub kernels.tar
fresh
echo x >>kernels.tar
says 3 'kernels.tar: altered' --verify mine.pub kernels.tar
if [ "$(id -u)" != 0 ]; then
  fresh
  chmod 0 "kernels/$so" kernels.tar
  says 1 "kernels/$so: cannot read" --verify mine.pub kernels
  says 1 'kernels.tar: cannot read' --verify mine.pub kernels.tar
  chmod 600 "kernels/$so" kernels.tar
fi
fresh
rm kernels.tar && mkfifo kernels.tar
says 1 'kernels.tar: not a regular file' --verify mine.pub kernels.tar

# --- verify: an altered list, signature or comment
fresh
sed "s/$so/other.so/" safe/kernels.manifest >kernels.manifest && mv "kernels/$so" kernels/other.so
says 3 'kernels.manifest: altered' --verify mine.pub kernels
fresh
rm kernels.manifest
says 3 'kernels: no signature' --verify mine.pub kernels
fresh
rm kernels.manifest.minisig kernels.tar.minisig
says 3 'kernels.manifest: no signature' --verify mine.pub kernels
says 3 'kernels.tar: no signature' --verify mine.pub kernels.tar
fresh
sed 's/^trusted comment: /&never /' safe/kernels.tar.minisig >kernels.tar.minisig
says 3 'its trusted comment is not what was signed' --verify mine.pub kernels.tar
cp safe/kernels.manifest.minisig kernels.tar.minisig
says 3 'kernels.tar: altered' --verify mine.pub kernels.tar
for lines in 0 1 2 3; do
  head -n $lines safe/kernels.tar.minisig >kernels.tar.minisig
  says 3 'kernels.tar.minisig: no signature of' --verify mine.pub kernels.tar
done
cat safe/kernels.tar.minisig mine.pub >kernels.tar.minisig
says 3 'kernels.tar.minisig: no signature of' --verify mine.pub kernels.tar

# --- verify: another key
fresh
says 3 'signed by another key' --verify other.pub kernels
says 3 'signed by another key' --verify other.pub kernels.tar
# The id is no secret: a key under the id of another one.
{ head -n 1 mine.pub; { tail -n 1 mine.pub | base64 -d | head -c 10; tail -n 1 other.pub | base64 -d | tail -c 32; } | base64; } >forged.pub
says 3 'kernels.tar: altered' --verify forged.pub kernels.tar

# --- keys: what is none
for mode in 640 604 620 610; do
  chmod $mode mine.key
  says 2 "mine.key: others may reach this secret key (mode 0$mode)" --sign mine.key -o kernels
done
chmod 600 mine.key
rm -rf none
says 2 'none.key: no such file' 'c2c f32 n=4' -o none --sign none.key
[ ! -e none ] || fail 'a pack is made before its key is looked at'
chmod 600 forged.pub
says 2 'no secret key' --sign forged.pub -o kernels
says 2 'no public key' --verify mine.key kernels
says 2 'none.pub: no such file' --verify none.pub kernels
{ head -n 1 mine.key; tail -n 1 mine.key | base64 -d | { head -c 100; head -c 1 >/dev/null; printf x; cat; } | base64 -w 0; } >bad.key
chmod 600 bad.key
says 2 'bad.key: this secret key is damaged' --sign bad.key -o kernels
# As minisign writes them, without a check; then the halves of the key must fit.
for from in mine.key bad.key; do
  { head -n 1 mine.key; { tail -n 1 $from | base64 -d | head -c 126; head -c 32 /dev/zero; } | base64 -w 0; } >zero.key
  chmod 600 zero.key
  if [ $from = bad.key ]; then says 2 'zero.key: this secret key is damaged' --sign zero.key -o kernels; else
    says 0 'signed by' --sign zero.key -o kernels; fi
done

# --- what does not go together
says 2 'one pack is wanted' --verify mine.pub
says 2 'one pack is wanted' --verify mine.pub kernels kernels.tar
says 2 'takes no -o' --verify mine.pub kernels -o kernels
says 2 'takes no -o' --new-key more --sign mine.key
says 2 'takes no further argument' --new-key more kernels
says 2 'no folder' --sign mine.key
says 2 '--sources makes none' 'c2c f32 n=4' --sources filter -o src --sign mine.key
says 2 'a pack is wanted' --verify mine.pub none
says 2 'give its own name' --verify mine.pub .
[ ! -e more.key ] || fail 'a refused command made a key'
