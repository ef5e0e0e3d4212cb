/**
 * The steps of the scenarios in Russian and German, by their English words, which come from the console. They
 * follow the name of the person who acts. A step that is not here is shown in English.
 */
export const stepTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'signs in with the code that came to the phone': [
    'входит с кодом, который пришёл на телефон',
    'meldet sich mit dem Code an, der aufs Telefon kam',
  ],
  'asks for the record, and is refused: the EHR server has no session yet': [
    'запрашивает карту и получает отказ: у сервера ЭМК ещё нет сеанса',
    'fragt nach der Akte und wird abgelehnt: der EHR-Server hat noch keine Sitzung',
  ],
  'asks for an exchange token, which goes to the EHR server as well': [
    'запрашивает обменный токен; его получает и сервер ЭМК',
    'fragt nach einem Austauschtoken; es geht auch an den EHR-Server',
  ],
  'tells the EHR server alone who the patient is': [
    'сообщает только серверу ЭМК, кто пациент',
    'sagt allein dem EHR-Server, um welche Person es geht',
  ],
  'reports the link, so that the authorization server records the session': [
    'сообщает о связи, чтобы сервер авторизации записал сеанс',
    'meldet die Verknüpfung, damit der Autorisierungsserver die Sitzung festhält',
  ],
  'reads the record': ['читает карту', 'liest die Akte'],
  'waits for a minute': ['ждёт минуту', 'wartet eine Minute'],
  'tells the name of the other twin, and is refused': [
    'называет имя другого близнеца и получает отказ',
    'nennt den Namen des anderen Zwillings und wird abgelehnt',
  ],
  'waits until one second before the end': [
    'ждёт до последней секунды',
    'wartet bis eine Sekunde vor dem Ende',
  ],
  'waits for ten minutes': ['ждёт десять минут', 'wartet zehn Minuten'],
  'identifies too late, and is refused': [
    'называет пациента слишком поздно и получает отказ',
    'weist sich zu spät aus und wird abgelehnt',
  ],
  'waits for a day': ['ждёт сутки', 'wartet einen Tag'],
  'asks for the record, and is refused': [
    'запрашивает карту и получает отказ',
    'fragt nach der Akte und wird abgelehnt',
  ],
  'tells who the patient is, and is refused': [
    'сообщает, кто пациент, и получает отказ',
    'sagt, um welche Person es geht, und wird abgelehnt',
  ],
  'reports the link, and is refused': [
    'сообщает о связи и получает отказ',
    'meldet die Verknüpfung und wird abgelehnt',
  ],
  'enters a wrong code, then the right one': [
    'вводит неверный код, затем верный',
    'gibt einen falschen Code ein, dann den richtigen',
  ],
  'loses the next reply on the internal channel': [
    'теряет следующий ответ на внутреннем канале',
    'verliert die nächste Antwort auf dem internen Kanal',
  ],
  'reports the link': ['сообщает о связи', 'meldet die Verknüpfung'],
  'ends the session at the EHR server': [
    'завершает сеанс на сервере ЭМК',
    'beendet die Sitzung beim EHR-Server',
  ],
  'then ends it at the authorization server': [
    'затем завершает его на сервере авторизации',
    'beendet sie dann beim Autorisierungsserver',
  ],
  'disconnects at the EHR server': ['отключает карту на сервере ЭМК', 'trennt die Akte beim EHR-Server'],
  'enters the code five minutes late, and is refused': [
    'вводит код на пять минут позже и получает отказ',
    'gibt den Code fünf Minuten zu spät ein und wird abgelehnt',
  ],
  'enters five wrong codes, and then the right one in vain': [
    'вводит пять неверных кодов, а потом напрасно верный',
    'gibt fünf falsche Codes ein und dann vergeblich den richtigen',
  ],
  'asks for a second code at once, and is refused': [
    'сразу просит второй код и получает отказ',
    'bittet sofort um einen zweiten Code und wird abgelehnt',
  ],
  'mistypes the surname, and is refused': [
    'пишет фамилию с опечаткой и получает отказ',
    'vertippt sich im Nachnamen und wird abgelehnt',
  ],
  'gives a wrong surname five times, and is refused each time': [
    'пять раз называет неверную фамилию и каждый раз получает отказ',
    'nennt fünfmal einen falschen Nachnamen und wird jedes Mal abgelehnt',
  ],
  'gives the right one too late, and is refused': [
    'слишком поздно называет верную и получает отказ',
    'nennt zu spät den richtigen und wird abgelehnt',
  ],
  'shows the same exchange token again, and is refused': [
    'предъявляет тот же обменный токен ещё раз и получает отказ',
    'zeigt dasselbe Austauschtoken noch einmal und wird abgelehnt',
  ],
  'loses the EHR server for one call of the internal channel': [
    'теряет сервер ЭМК на один вызов внутреннего канала',
    'verliert den EHR-Server für einen Aufruf des internen Kanals',
  ],
  'asks for an exchange token, and is refused': [
    'запрашивает обменный токен и получает отказ',
    'fragt nach einem Austauschtoken und wird abgelehnt',
  ],
  'loses the next answer of the EHR server': [
    'теряет следующий ответ сервера ЭМК',
    'verliert die nächste Antwort des EHR-Servers',
  ],
  'tells who the patient is, and gets no answer': [
    'сообщает, кто пациент, и не получает ответа',
    'sagt, um welche Person es geht, und bekommt keine Antwort',
  ],
  'signs in on another device, which kept nothing': [
    'входит на другом устройстве, где ничего не сохранено',
    'meldet sich auf einem anderen Gerät an, das nichts behalten hat',
  ],
  'has the account deleted at the authorization server': [
    'удаляет учётную запись на сервере авторизации',
    'lässt das Konto beim Autorisierungsserver löschen',
  ],
  'is attacked: a session is saved with the internal password alone, and refused': [
    'под атакой: сеанс сохраняют с одним внутренним паролем и получают отказ',
    'wird angegriffen: eine Sitzung wird allein mit dem internen Passwort gespeichert und abgelehnt',
  ],
  'is attacked again: the record is asked for with that session, and refused': [
    'снова под атакой: с этим сеансом запрашивают карту и получают отказ',
    'wird wieder angegriffen: mit dieser Sitzung wird die Akte verlangt und verweigert',
  ],
  'is attacked with the signature as well: the session is saved': [
    'под атакой вместе с подписью: сеанс сохранён',
    'wird auch mit der Signatur angegriffen: die Sitzung wird gespeichert',
  ],
  'has the record read, because the signature was stolen too': [
    'теряет карту, потому что украдена и подпись',
    'muss die Akte lesen lassen, weil auch die Signatur gestohlen ist',
  ],
};
