#!/bin/sh
# What bench --portability says on a machine with a GPU but without the build's tools.
# usage: portability_gpu.sh pack BUILD FOLDER       here: the program, and the libraries that it asks for
#        portability_gpu.sh every-way FOLDER OUT    there: small problems; launches, metric, plans carried
#        portability_gpu.sh languages FOLDER OUT    there: the GPU's languages on arrays beyond its caches: OpenCL, and
#                                                   HIP's text, over CUDA with the same plans
# Tables are printed, and written to OUT with JSON, CSV and pages.
set -u
say() { printf '%s\n' "$*"; }

pack() { # BUILD FOLDER
  mkdir -p "$2"
  cp "$1/fftgen" "$2/"
  for lib in $(ldd "$1/fftgen" | awk '/=> \//{ print $3 }' | grep -v -e 'libc\.so' -e 'libm\.so'); do cp -L "$lib" "$2/"; done
  for lib in libOpenCL.so.1 libclFFT.so.2 libfftw3_threads.so.3 libfftw3f_threads.so.3; do
    path=$(ldconfig -p | awk -v l="$lib" '$1 == l { print $NF; exit }')
    if [ -n "$path" ]; then cp -L "$path" "$2/"; else say "pack: no $lib here"; fi
  done
  du -sh "$2"
}

# The loader of OpenCL asks a folder which drivers there are.
find_opencl() { # FOLDER
  [ -e /etc/OpenCL/vendors/nvidia.icd ] && return
  driver=$(ldconfig -p | awk '$1 == "libnvidia-opencl.so.1" { print $NF; exit }')
  [ -n "$driver" ] || driver=$(ls /usr/local/nvidia/lib64/libnvidia-opencl.so.1 2>/dev/null)
  [ -n "$driver" ] || { say 'no OpenCL driver of NVIDIA here'; return; }
  mkdir -p "$1/vendors"
  cp /etc/OpenCL/vendors/*.icd "$1/vendors/" 2>/dev/null
  echo "$driver" >"$1/vendors/nvidia.icd"
  export OCL_ICD_VENDORS="$1/vendors"
}

measured() { # NAME OUT ARGUMENT...
  name=$1 out=$2
  shift 2
  "$program" bench --portability "$@" --report "$out/$name.html" --report "$out/$name.json" --report "$out/$name.csv" \
    >"$out/$name.txt" 2>"$out/$name.log" || say "FAILED: $(tail -n 3 "$out/$name.log")"
  cat "$out/$name.txt"
}

every_way() { # OUT
  measured every-way "$1" --seconds 0.1 --candidates 2 'c2c f32 n=64' 'c2c f32 n=1024' 'c2c f32 n=1024 batch=1024'
}

languages() { # OUT
  out=$1 points=4194304
  set --
  for n in 64 256 1024 4096; do set -- "$@" "c2c f32 n=$n batch=$((points / n))"; done
  for n in 256 2048; do set -- "$@" "c2c f64 n=$n batch=$((points / n / 2))"; done
  measured languages "$out" --only CUDA,GPU --seconds 0.1 --candidates 2 --samples 200 "$@"
}

case $1 in
  pack) pack "$2" "$3" ;;
  every-way | languages)
    folder=$(cd "$2" && pwd)
    program=$folder/fftgen
    export LD_LIBRARY_PATH="$folder:${LD_LIBRARY_PATH:-}:/usr/local/cuda/lib64:/usr/local/nvidia/lib64"
    find_opencl "$folder"
    "$program" devices | head -n 8
    if [ "$1" = languages ]; then languages "$3"; else every_way "$3"; fi
    ;;
  *) say 'usage: portability_gpu.sh pack BUILD FOLDER | every-way FOLDER OUT | languages FOLDER OUT'; exit 2 ;;
esac
