import { flagOf, permitNames, permits } from '../../plan/model/permits.ts';
import type { ApplyCommandOptions } from '../../terminal/line/options.ts';
import { UsageError } from '../../terminal/line/usageError.ts';

/** A saved plan runs as it is: flags that would change it are refused. Errors: `cli.usage`. */
export function refusePlanFlags(options: ApplyCommandOptions): void {
  const choices: readonly (readonly [string, boolean])[] = [
    ['--gvc', options.gvc !== undefined],
    ['--wait', options.wait],
    ...permitNames.map((name) => [flagOf(name), options[name] !== permits[name].default] as const),
    ['--target', options.target.length > 0],
    ['--exclude', options.exclude.length > 0],
  ];
  const flags = choices.filter(([, is]) => is).map(([name]) => name);
  if (flags.length === 0) return;
  throw new UsageError(
    `${flags.join(', ')} would change the plan, but a saved plan runs as it was approved`,
    'Give these flags to gantry plan --out.',
  );
}
