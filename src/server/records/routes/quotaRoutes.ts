import type { Route } from '../../http/dispatch/route.ts';
import { replaceRoute } from './replaceRoute.ts';

/** Quotas exist from the beginning; only their limits can be set (platform/quota). */
export const quotaRoutes: readonly Route[] = [replaceRoute('quota')];
