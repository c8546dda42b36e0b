import type { Route } from '../../dispatch/route.ts';
import { replaceRoute } from '../everyKind/replaceRoute.ts';

/** A quota is there from the beginning; only its limit can be set (platform/quota). */
export const quotaRoutes: readonly Route[] = [replaceRoute('quota')];
