import { expect } from 'vitest';
import type { TestPlatform } from '../platform.ts';
import { mostRowsRead } from '../rowsRead.ts';

/** A token for each principal, given as the path of its record. */
export function tokensOf(callers: readonly string[]) {
  return callers.map((path, at) => ({ token: tokenOf(at), principal: `/org/local/${path}` }));
}

/** The status of a read of a workload of the GVC `shop`. `caller` is an index in the list of tokens. */
export async function statusFor(platform: TestPlatform, caller: number, workload: string): Promise<number> {
  return (await platform.as(tokenOf(caller))('GET', `gvc/shop/workload/${workload}`)).status;
}

/** Demands that the caller can view `web` and not `other`, and that no read for it returns as many rows as this. */
export async function expectSlices(platform: TestPlatform, caller: number, few: number): Promise<void> {
  const statuses: number[] = [];
  const most = await mostRowsRead(async () => {
    for (const workload of ['web', 'other']) statuses.push(await statusFor(platform, caller, workload));
  });
  expect(statuses).toEqual([200, 403]);
  expect(most).toBeLessThan(few);
}

function tokenOf(at: number): string {
  return `token-of-caller-${at}`;
}
