import { expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/schema/json.ts';
import { routes } from '../../../src/server/routes/table.ts';
import { openApiDocument } from '../../../src/server/rules/openapi/document.ts';

const paths = objectAt(openApiDocument(routes, 'http://127.0.0.1'), 'paths');

test('the description of the API has the filters of the audit trail (protocol 7.1)', () => {
  for (const path of [
    '/audit/org/{org}',
    '/audit/org/{org}/resource/id/{id}',
    '/audit/org/{org}/resource/name/{name}',
  ]) {
    const parameters = listAt(objectAt(objectAt(paths, path), 'get'), 'parameters').filter(isObject);
    const inQuery = parameters.filter((parameter) => parameter['in'] === 'query').map(({ name }) => name);
    expect(inQuery, path).toEqual(
      expect.arrayContaining([
        ...['resourceType', 'contextName', 'fromEvent', 'toEvent', 'subjectName'],
        ...['location', 'gvcAlias', 'podId', 'actionType', 'limit', 'next'],
      ]),
    );
  }
});

test('the description says with what status an event is written and an org made', () => {
  const statuses = (path: string) => Object.keys(objectAt(objectAt(objectAt(paths, path), 'post'), 'responses'));
  expect(statuses('/audit/org/{org}/auditctx/{ctx}')).toEqual(['201', '202', 'default']);
  expect(statuses('/org')).toEqual(['201', 'default']);
  expect(statuses('/account/{account}/org')).toEqual(['201', 'default']);
});
