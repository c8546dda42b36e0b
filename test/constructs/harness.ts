import { Gvc, Testing } from 'gantry';

/** A stack with a GVC. */
export function shop() {
  const stack = Testing.stack();
  return { stack, gvc: new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] }) };
}

/** The line of the caller. */
export function line(): number {
  const [, , caller = ''] = (new Error().stack ?? '').split('\n');
  return Number(/:(\d+):\d+\)?$/.exec(caller)?.[1]);
}
