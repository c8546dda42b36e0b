import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { Call } from '../call/command.ts';
import { showDone } from '../call/present.ts';

/** The script of each shell; each calls `gantry __complete`, which answers `TEXT<tab>WHAT IT IS` lines. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_gantry() {
  local line="\${COMP_LINE:0:COMP_POINT}" part="\${COMP_WORDS[COMP_CWORD]}" current found
  local -a words
  # As they were typed: bash takes words apart at = : and @ too, and replaces the last part only.
  IFS=$' \\t' read -ra words <<< "$line"
  if [[ $line == *[[:blank:]] ]]; then words+=(''); fi
  current="\${words[\${#words[@]}-1]}"
  if [[ $part == [=:@] ]]; then part=''; fi
  COMPREPLY=()
  while IFS= read -r found; do
    found="\${found%%$'\\t'*}"
    COMPREPLY+=("\${found#"\${current%"$part"}"}")
    # More comes behind it: no space.
    if [[ $found == *[.=] ]]; then compopt -o nospace 2>/dev/null; fi
  done < <(gantry __complete "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _gantry gantry`,
  zsh: `#compdef gantry
_gantry() {
  local -a found more
  local line
  while IFS= read -r line; do
    local text="\${line%%$'\\t'*}" about="\${line#*$'\\t'}"
    found+=("\${text//:/\\\\:}\${about:+:$about}")
    if [[ $text == *[.=] ]]; then more=(-S ''); fi
  done < <(gantry __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe gantry found $more; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _gantry gantry`,
  fish: `function __gantry_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (gantry __complete $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c gantry -f -a '(__gantry_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName gantry -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  # Before 7.3 an empty argument is left out, unless it is written as two quotation marks.
  $legacy = $PSVersionTable.PSVersion -lt [version]'7.3.0' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
  $current = if ($word -eq '' -and $legacy) { '""' } else { $word }
  gantry __complete @words $current 2>$null | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $(if ($about) { $about } else { $text }))
  }
}`,
};

/** `completion SHELL`: prints the script that a shell loads. */
export function runCompletion(call: Call): Promise<Ending> {
  const script = scripts[call.row.verb] ?? '';
  showDone(call, { text: script, names: [], document: { shell: call.row.verb, script } });
  return Promise.resolve(exitCode.ok);
}
