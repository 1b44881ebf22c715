#!/usr/bin/env bash
# A browser and a Korean font, which the tests of the pages need: installed from the system's packages where that is
# possible. Where it is not, this says what is missing and ends well; the tests of the pages then fail in CI, and are
# skipped, with the reason, on a developer's machine.
set -uo pipefail

light() { command -v chromium-headless-shell; }
browser() { light || command -v chromium || command -v chromium-browser || command -v google-chrome; }
korean() { command -v fc-list >/dev/null && [ -n "$(fc-list :lang=ko)" ]; }

wanted=()
light >/dev/null || wanted+=(chromium-headless-shell)  # takes a quarter less of the processor than chromium does
korean || wanted+=(fontconfig fonts-noto-cjk)
[ ${#wanted[@]} -eq 0 ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    printf 'Installing %s for the tests of the pages …\n' "${wanted[*]}"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    apt-get install -y -qq --no-install-recommends "${wanted[@]}" >"$log" 2>&1 ||
        { apt-get update -qq >"$log" 2>&1 && apt-get install -y -qq --no-install-recommends "${wanted[@]}" >"$log" 2>&1; } ||
        tail -5 "$log" >&2
    rm -f "$log"
fi

missing=()
browser >/dev/null || missing+=("a browser (Debian: chromium-headless-shell or chromium)")
korean || missing+=("a Korean font (Debian: fonts-noto-cjk)")
[ ${#missing[@]} -eq 0 ] && exit 0
printf '\n*** NOT INSTALLED: %s.\n' "$(IFS=';'; echo "${missing[*]}")" >&2
printf '*** The pages of the inspector will NOT be tested here. As root: apt-get install chromium-headless-shell fonts-noto-cjk\n\n' >&2
