import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';

/** A container that ended with an error and was started again this often does not become ready by itself. */
const mostRestarts = 3;

/** Containers of a version that end with an error again and again, in words; none of a version that is ready. */
export function crashesIn(deployment: JsonObject, version: number): readonly string[] {
  const location = stringAt(deployment, 'name') ?? '';
  const versions = listAt(objectAt(deployment, 'status'), 'versions').filter(isObject);
  return versions
    .filter((each) => Number(own(each, 'workload')) >= version && own(each, 'ready') !== true)
    .flatMap((each) => Object.entries(objectAt(each, 'containers')))
    .flatMap(([name, container]) => {
      const restarts = isObject(container) ? objectAt(container, 'restarts') : {};
      const [count, exitCode] = [numberAt(restarts, 'count') ?? 0, numberAt(restarts, 'exitCode') ?? 0];
      if (count < mostRestarts || exitCode === 0) return [];
      const reason = stringAt(restarts, 'reason');
      const why = reason === undefined || reason === '' ? '' : `, ${reason}`;
      return [`${location}: container ${name} was restarted ${count} times (exit code ${exitCode}${why})`];
    });
}
