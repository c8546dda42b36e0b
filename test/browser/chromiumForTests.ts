import { chromium } from './unpacked.ts';

/** The browser for tests; undefined, after a printed reason, if the machine has none. With `CI=true` that fails. */
export async function chromiumForTests(what: string): Promise<string | undefined> {
  const program = await chromium();
  if (program !== undefined) return program;
  if (process.env['CI'] === 'true') throw new Error('there is no Chromium for this machine');
  process.stderr.write(`skipped: ${what} in a browser, as there is no Chromium for this machine\n`);
  return undefined;
}
