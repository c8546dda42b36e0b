import { replaceRoute } from './replaceRoute.ts';
import type { Route } from './route.ts';

/** A quota is there from the beginning; only its limit can be set (platform/quota). */
export const quotaRoutes: readonly Route[] = [replaceRoute('quota')];
