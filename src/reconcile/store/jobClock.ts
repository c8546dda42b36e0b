import type { Sql } from './sql.ts';

/**
 * Sets future times to now after the clock of the database was set back. Otherwise jobs that wait for an earlier time,
 * or whose worker has died, would be ignored until that time comes again.
 */
export async function setBackTimes(
  { boss: { schema = 'pgboss' }, query }: Sql,
  queues: readonly string[],
): Promise<void> {
  await query(
    `UPDATE ${schema}.queue
     SET monitor_claim_on = least(monitor_claim_on, clock_timestamp()),
         monitor_on = least(monitor_on, clock_timestamp()),
         maintain_on = least(maintain_on, clock_timestamp())
     WHERE name = ANY($1::text[])
       AND greatest(monitor_claim_on, monitor_on, maintain_on) > clock_timestamp() + interval '10 seconds'`,
    [queues],
  );
  await query(
    `UPDATE ${schema}.job
     SET start_after = least(start_after, clock_timestamp()),
         heartbeat_on = least(heartbeat_on, clock_timestamp()),
         started_on = least(started_on, clock_timestamp())
     WHERE name = ANY($1::text[]) AND state <= 'active'
       AND greatest(start_after, heartbeat_on, started_on) > clock_timestamp() + interval '10 seconds'`,
    [queues],
  );
}
