import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgramInTerminal } from '../../test/harness/pseudoTerminal.ts';
import { terminalSvg } from '../site/terminalSvg.ts';
import type { AccessPlan } from './access.ts';

export interface Pictured {
  /** The plan in a terminal of 100 columns. */
  readonly svg: string;
  /** Its report. */
  readonly html: string;
}

/** Applies the stack as it was on the embedded platform, and plans it as it is to be, by a built command line. */
export async function planAccess({ before, after }: AccessPlan, program: string): Promise<Pictured> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-access-'));
  try {
    writeFileSync(join(folder, 'gantry.yaml'), 'stack: shop\n');
    writeFileSync(join(folder, 'shop.yaml'), before);
    execFileSync(process.execPath, [program, 'apply', '.', '--embedded', '--yes'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: 'ignore',
    });
    writeFileSync(join(folder, 'shop.yaml'), after);
    const line = [program, 'plan', '.', '--embedded', '--report', 'plan.html'];
    const terminal = startProgramInTerminal(process.execPath, line, {
      cwd: folder,
      columns: 100,
      env: { GANTRY_PAGER: '' },
    });
    const { code } = await terminal.ended;
    if (code !== 0) throw new Error(terminal.screen.text);
    const written = terminal.written.replaceAll('\r', '').replace(/^.*plan\.html.*\n/gm, '');
    return {
      svg: terminalSvg('npx gantry plan . --embedded', written),
      html: readFileSync(join(folder, 'plan.html'), 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
