/** In order of increasing detail. */
const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof levels)[number];

/** One line of the log: a message, and facts by name. Never a body, a token, or a value of a configuration. */
export type Log = (
  level: LogLevel,
  message: string,
  facts?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
) => void;

/**
 * The log of a plugin: JSON lines on standard error, as go-plugin reads them, which Terraform shows with `TF_LOG`.
 * Undefined if it is not enabled. As in Terraform, an invalid level enables everything.
 */
export function logOf(
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): Log | undefined {
  const asked = (environment['TF_LOG_PROVIDER'] || environment['TF_LOG'] || 'off').toLowerCase();
  if (asked === 'off') return undefined;
  const names: readonly string[] = levels;
  const shown = names.slice(0, names.includes(asked) ? names.indexOf(asked) + 1 : names.length);
  return (level, message, facts = {}) => {
    if (!shown.includes(level)) return;
    const entry = { '@level': level, '@message': message, '@module': 'gantry', '@timestamp': timestamp(now()) };
    const told = Object.entries(facts).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
    write(`${JSON.stringify({ ...entry, ...Object.fromEntries(told) })}\n`);
  };
}

/** With six decimals of a second: go-plugin treats a line with another number of decimals as plain text. */
function timestamp(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
