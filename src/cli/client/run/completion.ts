import type { Ending } from '../../answer/ending.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { Call } from '../call/command.ts';
import { showDone } from '../output/present.ts';

/** What each shell runs; all of them ask `gantry __complete`, which answers `TEXT<tab>WHAT IT IS` lines. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_gantry() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done < <(gantry __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gantry gantry`,
  zsh: `#compdef gantry
_gantry() {
  local -a found
  local line
  while IFS= read -r line; do
    local text="\${line%%$'\\t'*}" about="\${line#*$'\\t'}"
    found+=("\${text//:/\\\\:}\${about:+:$about}")
  done < <(gantry __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe gantry found; else _files; fi
}
compdef _gantry gantry`,
  fish: `function __gantry_complete
  set -l words (commandline -opc) (commandline -ct)
  gantry __complete $words[2..-1] 2>/dev/null
end
complete -c gantry -f -a '(__gantry_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName gantry -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  gantry __complete @words "$word" 2>$null | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $(if ($about) { $about } else { $text }))
  }
}`,
};

/** `completion SHELL`: the script to be loaded by a shell. */
export function runCompletion(call: Call): Promise<Ending> {
  const script = scripts[call.verb] ?? '';
  showDone(call, { text: script, names: [], document: { shell: call.verb, script } });
  return Promise.resolve(exitCode.ok);
}
