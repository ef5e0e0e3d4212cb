/** The chosen message: request and reply, what it changed, how to send it again, and how it is judged. */
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { LiveVerdict, MessageDetail, StateChange, Time } from '../../../api.ts';
import { verdictsShown } from '../../model/model.ts';
import { markedTables } from '../../model/tables.ts';
import { useConsole } from '../context.ts';
import { outcomeWords, partyNames } from '../format.ts';
import { Button, Clause, CopyButton, Json, saveFile } from '../parts.tsx';
import { VerdictBox, verdictCount, worstFirst } from '../verdicts.tsx';
import { StateTables } from './state-tab.tsx';

export function MessageTab() {
  const { model } = useConsole();
  const { chosen, detail } = model;
  if (chosen === undefined)
    return (
      <p className="hint">
        Choose a message in the lanes to see its request, its reply, its clause and what it changed.
      </p>
    );
  if (detail?.id !== chosen) return <p className="hint">Loading…</p>;
  // Those of the detail are as old as its choice.
  const verdicts = worstFirst(verdictsShown(model).filter(({ evidence }) => evidence.includes(chosen)));
  const broken = verdicts.filter(({ outcome }) => outcome !== 'pass');
  return (
    <>
      <Route detail={detail} broken={broken.length} />
      <Sides detail={detail} />
      {detail.outcome !== 'underWay' && (
        <>
          <h3>What it changed</h3>
          <Changes changes={detail.changes} at={detail.endedAt} />
        </>
      )}
      <SendAgain detail={detail} />
      <Broken verdicts={broken} />
      <Passed verdicts={verdicts.slice(broken.length)} />
    </>
  );
}

/** The place of the verdicts that do not hold. */
const BROKEN_ID = 'broken-verdicts';

function Route({ detail, broken }: { detail: MessageDetail; broken: number }) {
  const { from, to, method, answer, outcome, fault, beganAt, endedAt, patientData } = detail;
  return (
    <div className="route">
      <p>
        <span className={`route-party of-${from}`}>{partyNames[from]}</span>
        <span> → </span>
        <span className={`route-party of-${to}`}>{partyNames[to]}</span>
        <span className="route-took">
          {outcome === 'underWay' ? outcomeWords.underWay : `${endedAt - beganAt} ms`}
        </span>
      </p>
      <p className="route-method">{method}</p>
      <p className={`route-answer ${outcome}`}>{answer}</p>
      <MethodClause detail={detail} />
      {broken > 0 && (
        <Button
          className="text-button is-bad"
          text={`does not hold: ${broken}`}
          onClick={() => document.getElementById(BROKEN_ID)?.focus()}
        />
      )}
      {fault !== undefined && <p className="route-fault">{`trouble on purpose: ${fault}`}</p>}
      {patientData && <p className="route-fault">{`carries patient data: ${patientData.join(', ')}`}</p>}
    </div>
  );
}

function MethodClause({ detail: { clause, clauseText } }: { detail: MessageDetail }) {
  if (clause === undefined) return null;
  return (
    <p className="route-clause">
      <Clause clause={clause} /> <span>{clauseText}</span>
    </p>
  );
}

/** What does not hold, open, and reached from the top. */
function Broken({ verdicts }: { verdicts: readonly LiveVerdict[] }) {
  if (verdicts.length === 0) return null;
  return (
    <section id={BROKEN_ID} tabIndex={-1} className="verdicts-broken" aria-label="What does not hold">
      <h3>What does not hold</h3>
      {verdicts.map((verdict) => (
        <VerdictBox key={verdict.check} verdict={verdict} withEvidence />
      ))}
    </section>
  );
}

function Passed({ verdicts }: { verdicts: readonly LiveVerdict[] }) {
  if (verdicts.length === 0) return null;
  return (
    <details className="verdicts-passed">
      <summary>{verdictCount('pass', verdicts.length)}</summary>
      {verdicts.map((verdict) => (
        <VerdictBox key={verdict.check} verdict={verdict} />
      ))}
    </details>
  );
}

function Sides({ detail: { request, reply, outcome } }: { detail: MessageDetail }) {
  return (
    <>
      <Side title="Request" about={`${request.method} ${request.path}`} {...request} />
      <Side title="Reply" about={reply && `HTTP ${reply.status}`} {...(reply ?? { headers: [], body: '' })} />
      {!reply && (
        <p className={`route-answer ${outcome}`}>
          {outcome === 'underWay' ? 'It waits for its reply.' : 'No reply crossed.'}
        </p>
      )}
    </>
  );
}

type SideProps = Pick<MessageDetail['request'], 'headers' | 'body'> & {
  title: 'Request' | 'Reply';
  about: string | undefined;
};

function Side({ title, about, headers, body }: SideProps) {
  return (
    <>
      <h3>
        <span>{title}</span> <small>{about}</small>
      </h3>
      <Json text={body} label={title} />
      {headers.length > 0 && (
        <details className="headers">
          <summary>{`Headers (${headers.length})`}</summary>
          <Json text={headers.map((header) => header.join(': ')).join('\n')} label="Headers" />
        </details>
      )}
    </>
  );
}

/** A message of a saved run is no longer at the server, so the page makes the HAR itself. */
function SendAgain({ detail }: { detail: MessageDetail }) {
  const { model } = useConsole();
  // Parties that run in the page have no address to send anything to.
  const canSend = model.overview?.isInPage !== true || model.replay !== undefined;

  function saveHar() {
    const har = harOf([harEntryOf(detail)], model.overview?.version ?? '');
    saveFile(`message-${detail.id}.har`, JSON.stringify(har, null, 2));
  }

  return (
    <div className="send-again">
      <p className="row">
        {canSend && <CopyButton of={detail.curl} text="Copy as curl" />}
        <Button text="HAR" onClick={saveHar} />
      </p>
      {canSend && !model.inClear && <p className="hint">Masked, it cannot be sent: show secrets first.</p>}
    </div>
  );
}

/** One small table for each table that the message touched. */
function Changes({ changes, at }: { changes: readonly StateChange[]; at: Time }) {
  if (changes.length === 0) return <p className="hint">Nothing at either server.</p>;
  const kept = changes.filter(({ how }) => how !== 'removed');
  const tables = markedTables(undefined, changes).map((table) => {
    const own = kept.filter(({ party, table: name }) => party === table.party && name === table.table);
    return { ...table, rows: [...own.map(({ row, how }) => ({ row, mark: how })), ...table.rows] };
  });
  const touched = tables.filter(({ rows }) => rows.length > 0);
  return <StateTables tables={touched.map((table) => ({ ...table, total: table.rows.length }))} now={at} />;
}
