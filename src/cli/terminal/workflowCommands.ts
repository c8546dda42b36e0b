/**
 * Text for the log of a workflow of GitHub, in which no line is a command: the runner obeys lines that begin with `::`,
 * after blanks too, and `##[…]` anywhere. What others write into descriptions and values must not annotate, mask or
 * silence anything.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}
