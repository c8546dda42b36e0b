import type { OutputFormat } from './answer.ts';

/**
 * The format that a command line asks for, also where the rest of it is wrong: an error must be in it too. The last one
 * counts; after `--` there are no options.
 */
export function outputFormatOf(args: readonly string[]): OutputFormat {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.reduce<OutputFormat>((format, arg, index) => formatAt(arg, options[index + 1]) ?? format, 'text');
}

function formatAt(arg: string, next: string | undefined): OutputFormat | undefined {
  const word = arg === '-o' || arg === '--output' ? next : /^(?:-o|--output=)(.+)$/s.exec(arg)?.[1];
  // `json-slim` is JSON with fewer members, so its errors are JSON too.
  const format = word?.replace(/-slim$/, '');
  return format === 'text' || format === 'json' || format === 'yaml' ? format : undefined;
}
