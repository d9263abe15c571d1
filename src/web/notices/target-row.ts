import { nameKind } from '../../events/event-kind.ts';
import type { ListedTarget, ShownDelivery } from '../../notices/read-targets.ts';
import type { Target } from '../../notices/target.ts';
import type { Badge } from '../badge.ts';
import { KIND_NAMES } from './target-form.ts';

const WORKING: Badge = { label: 'Working', tone: 'success', icon: 'check-circle' };
const BACKING_OFF: Badge = { label: 'Backing off', tone: 'attention', icon: 'clock' };
const GIVEN_UP: Badge = { label: 'Given up', tone: 'danger', icon: 'x-circle' };
const OFF: Badge = { label: 'Switched off', tone: 'muted', icon: 'circle-slash' };
const WAITING: Badge = { label: 'Waiting', tone: 'muted', icon: 'clock' };
const DELIVERED: Badge = { label: 'Delivered', tone: 'success', icon: 'check-circle' };
/** The flow of Teams may fail after its answer. */
const ACCEPTED: Badge = { label: 'Accepted', tone: 'accent', icon: 'check' };

function stateBadge({ stoppedBecause, switchedOff, retryAt }: ListedTarget): Badge {
  if (switchedOff) return OFF;
  if (stoppedBecause !== null) return GIVEN_UP;
  return retryAt === null ? WORKING : BACKING_OFF;
}

/** A target in a list, and at the top of its own page. */
export function targetRow(target: ListedTarget, path: string) {
  const { stoppedBecause } = target;
  return {
    ...target,
    href: `${path}/${target.id}`,
    kind: KIND_NAMES[target.kind],
    badge: stateBadge(target),
    isStopped: stoppedBecause !== null,
    reason: target.switchedOff ? null : stoppedBecause,
  };
}

function deliveryBadge({ state, attempts }: ShownDelivery, kind: Target['kind']): Badge {
  if (state === 'GIVEN_UP') return GIVEN_UP;
  if (state === 'SENT') return kind === 'TEAMS' ? ACCEPTED : DELIVERED;
  return attempts === 0 ? WAITING : BACKING_OFF;
}

/** A message to a target. @param path of the target */
export function deliveryRow(delivery: ShownDelivery, kind: Target['kind'], path: string) {
  const { state, attempts, error } = delivery;
  return {
    ...delivery,
    title: nameKind(delivery.message.type),
    badge: deliveryBadge(delivery, kind),
    retryAt: state === 'WAITING' && attempts > 0 ? delivery.dueAt : null,
    error: state === 'SENT' ? null : error,
    request: JSON.stringify(JSON.parse(delivery.request), null, 2),
    again: `${path}/deliveries/${delivery.id}/send`,
  };
}
