/** One line of the table that `npm run bench` prints. */
export interface Row {
  readonly resources?: number;
  readonly latencyMs?: number;
  readonly what: string;
  readonly requests?: number;
  readonly wallSeconds?: number;
  readonly peakMiB?: number | undefined;
  /** The baseline, and the ratio to it. */
  readonly ratio?: string;
}

export function printHead(): void {
  line(['resources', 'latency ms', 'what', 'requests', 'wall s (median)', 'peak MiB', 'ratio']);
  line(['---:', '---:', '---', '---:', '---:', '---:', '---']);
}

export function printRow({ resources, latencyMs, what, requests, wallSeconds, peakMiB, ratio }: Row): void {
  const wall = wallSeconds === undefined ? '' : wallSeconds.toFixed(3);
  const peak = peakMiB === undefined || !(peakMiB > 0) ? '' : String(Math.round(peakMiB));
  line([resources ?? '', latencyMs ?? '', what, requests ?? '', wall, peak, ratio ?? '']);
}

export function times(value: number, base: number): string {
  return `${(value / base).toFixed(2)}x`;
}

function line(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
