import { type Command, Option } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { collect, parseCount, parseDuration, parsePort } from '../../../terminal/line/optionValues.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { ServeOptions } from './run.ts';

export function declareServe(program: Command, launch: Launch): void {
  const command = addCommand(program, 'serve', ['org', 'token', 'data', 'dialect'])
    .description('run the platform itself; default org: local, default data folder: .gantry (or :memory:)')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4480)
    .option('--host <address>', 'address to listen on; local-only endpoints exist on loopback only', '127.0.0.1')
    .option('--public-url <url>', 'address that clients use, if it is another one (a proxy, a host name)')
    .option('--no-auth', 'do not check tokens (loopback only)')
    .option('--tokens <file>', 'further tokens: {tokens: [{token, principal, expires}]}')
    .option('--user <email>', 'seed a user (repeatable)', collect, [])
    .option('--lenient', 'rules that may be stricter than the real service only warn', false)
    .addOption(new Option('--answers <forms>', 'show records in other forms, for tests: bare,short').hideHelp())
    .option('--prove-ownership', 'domains need a proof of ownership', false)
    .option(
      '--expand-limit <count>',
      'how often a volume may be expanded by command in 24 hours (default: no limit)',
      parseCount,
    )
    .option('--rate-limit <count>', 'requests per second and token (default: no limit)', parseCount)
    .option('--store <url>', 'postgres://user:password@host/database instead of a file; several servers may share it')
    .option('--latency <duration>', 'delay of every response', parseDuration, 0)
    .addOption(
      new Option('--ready-after <duration>', 'time until deployments are ready')
        .argParser(parseDuration)
        .default(500, '500ms'),
    )
    .option('--deletion-delay <duration>', 'how long deleted resources are still shown', parseDuration, 0)
    .addOption(
      new Option('--clock <clock>', 'real, or virtual: stepped by POST /-clock')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .option('--seed <text>', 'seed of everything that is simulated', 'gantry')
    .option('--faults <file>', 'faults to inject, as for POST /-faults')
    .option('--from <file>', 'start with the state in this file (from GET /-snapshot)')
    .option('--kinds <file>', 'serve the kinds that this file defines under kinds, as gantry.yaml does')
    .option('--dev', 'with local-only endpoints (default on loopback; not possible elsewhere)')
    .option('--no-dev', 'without local-only endpoints')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<ServeOptions>(), async (context) => (await import('./run.ts')).runServe(context)),
    );
  completePage(command, 'server', [
    ['gantry serve', 'on port 4480, data in .gantry'],
    ['gantry serve --port 0 --data :memory: --token secret', 'on a free port, in memory only'],
    ['gantry serve --clock virtual', 'time passes only by POST /-clock'],
  ]);
}
