# Sourced by the other scripts: --help prints what stands at the top of the script, and nothing is begun.
case ${1-} in -h | --help) sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0" && exit ;; esac
