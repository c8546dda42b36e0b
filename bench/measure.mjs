/** Preloaded into a measured process: writes its peak memory to the file that BENCH_RSS_FILE names. */
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_RSS_FILE;
if (file !== undefined) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
}
