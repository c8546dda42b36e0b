import type { TestPlatform } from '../platform.ts';

/** A token for each principal, given as the path of its record. */
export function tokensOf(callers: readonly string[]) {
  return callers.map((path, at) => ({ token: tokenOf(at), principal: `/org/local/${path}` }));
}

/** The status of a read of a workload of the GVC `shop`. `caller` is an index in the list of tokens. */
export async function statusFor(platform: TestPlatform, caller: number, workload: string): Promise<number> {
  return (await platform.as(tokenOf(caller))('GET', `gvc/shop/workload/${workload}`)).status;
}

function tokenOf(at: number): string {
  return `token-of-caller-${at}`;
}
