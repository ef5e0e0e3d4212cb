/**
 * The scenarios in Russian and German; English comes from the console. One that is not here is shown in
 * English.
 */
type Translated = { readonly title: readonly [string, string]; readonly sentence: readonly [string, string] };

export const scenarioTexts: Readonly<Record<string, Translated>> = {
  'first-link': {
    title: ['Первая связь', 'Die erste Verknüpfung'],
    sentence: [
      'Новый пользователь связывает карту: данные пациента идут только серверу ЭМК, с обменным токеном.',
      'Ein neuer Nutzer verknüpft die Akte: Patientendaten gehen allein an den EHR-Server, mithilfe eines Austauschtokens.',
    ],
  },
  'returning-user': {
    title: ['Повторный вход', 'Ein Nutzer kehrt zurück'],
    sentence: [
      'Связанный пользователь входит снова, и сервер авторизации сразу сохраняет сеанс.',
      'Ein verknüpfter Nutzer meldet sich wieder an, und der Autorisierungsserver speichert die Sitzung sofort.',
    ],
  },
  twins: {
    title: ['Близнецы с одним телефоном', 'Zwillinge mit einem Telefon'],
    sentence: [
      'Имя решает, кто из двоих найден; другого этот пользователь связать уже не может.',
      'Der Vorname entscheidet, wer von beiden gefunden wird; einen anderen kann der Nutzer danach nicht verknüpfen.',
    ],
  },
  'token-in-time': {
    title: ['Обменный токен в последнюю секунду', 'Ein Austauschtoken in seiner letzten Sekunde'],
    sentence: [
      'За секунду до конца своих десяти минут обменный токен ещё действует.',
      'Eine Sekunde vor Ablauf seiner zehn Minuten gilt ein Austauschtoken noch.',
    ],
  },
  'token-expired': {
    title: ['Истёкший обменный токен', 'Ein abgelaufenes Austauschtoken'],
    sentence: [
      'Через десять минут обменный токен отклоняется, а новый действует.',
      'Nach zehn Minuten wird ein Austauschtoken abgelehnt, und ein neues gilt.',
    ],
  },
  'session-expired': {
    title: ['Истёкший сеанс', 'Eine abgelaufene Sitzung'],
    sentence: [
      'Через сутки сеанс отклоняется; связь остаётся, и следующий вход ведёт к карте.',
      'Nach einem Tag wird die Sitzung abgelehnt; die Verknüpfung bleibt, und die nächste Anmeldung führt zur Akte.',
    ],
  },
  namesakes: {
    title: ['Тёзки', 'Namensvetterinnen'],
    sentence: [
      'Два пациента совпадают во всём, поэтому не найден ни один; ответ не говорит, что их двое.',
      'Zwei Patientinnen gleichen sich in allem, also wird keine gefunden; die Antwort verrät nicht, dass es zwei sind.',
    ],
  },
  'no-correspondence': {
    title: ['Нет записи в таблице соответствий', 'Kein Eintrag in der Zuordnungstabelle'],
    sentence: [
      'Сервер ЭМК связывает пользователя, а сервер авторизации не знает для сеанса внутреннего пользователя.',
      'Der EHR-Server verknüpft den Nutzer, und der Autorisierungsserver kennt für die Sitzung keinen internen Nutzer.',
    ],
  },
  'wrong-code': {
    title: ['Неверный код', 'Ein falscher Code'],
    sentence: [
      'Код не из сообщения ничего не подтверждает; верный по-прежнему действует.',
      'Ein Code, der nicht in der Nachricht steht, bestätigt nichts; der richtige gilt weiterhin.',
    ],
  },
  'save-reply-lost': {
    title: ['Ответ на сохранение потерян', 'Die Antwort auf ein Speichern geht verloren'],
    sentence: [
      'Сервер ЭМК записал сеанс, но ответ потерян; второе сообщение о нём — не ошибка.',
      'Der EHR-Server speichert die Sitzung, seine Antwort geht verloren; eine zweite Meldung ist kein Fehler.',
    ],
  },
  logout: {
    title: ['Выход', 'Abmelden'],
    sentence: [
      'Сеанс заканчивается сначала на сервере ЭМК и только потом на сервере авторизации.',
      'Die Sitzung endet zuerst beim EHR-Server und erst dann beim Autorisierungsserver.',
    ],
  },
  disconnect: {
    title: ['Отключение карты', 'Die Akte trennen'],
    sentence: [
      'Связь исчезает вместе с подписью и всеми сеансами; следующий вход карты не находит.',
      'Die Verknüpfung verschwindet samt Signatur und allen Sitzungen; die nächste Anmeldung findet keine Akte.',
    ],
  },
  'code-expired': {
    title: ['Истёкший код', 'Ein abgelaufener Code'],
    sentence: [
      'Код действует пять минут; после них нужен другой.',
      'Ein Code gilt fünf Minuten; danach muss ein anderer gesendet werden.',
    ],
  },
  'codes-guessed': {
    title: ['Кто-то подбирает коды', 'Jemand rät Codes'],
    sentence: [
      'Пять неверных кодов отменяют верный, так что все перебрать нельзя.',
      'Fünf falsche Codes verbrauchen den richtigen, sodass niemand alle durchprobieren kann.',
    ],
  },
  'codes-in-a-row': {
    title: ['Два кода подряд', 'Zwei Codes hintereinander'],
    sentence: [
      'Следующий код отправляется только через полминуты, чтобы никого не завалить сообщениями.',
      'Ein weiterer Code wird erst nach einer halben Minute gesendet, damit niemand mit Nachrichten überschüttet wird.',
    ],
  },
  mistyped: {
    title: ['Опечатка в фамилии', 'Ein Nachname mit Tippfehler'],
    sentence: [
      'Если пациент не найден, можно попробовать ещё раз с тем же обменным токеном.',
      'Wer nicht gefunden wird, darf es mit demselben Austauschtoken noch einmal versuchen.',
    ],
  },
  'guesses-used-up': {
    title: ['Кто-то угадывает пациента', 'Jemand errät eine Patientin'],
    sentence: [
      'Пять неудачных попыток расходуют обменный токен; пациенту нужен новый.',
      'Fünf Fehlversuche verbrauchen ein Austauschtoken; die Patientin braucht ein neues.',
    ],
  },
  'token-used-twice': {
    title: ['Обменный токен используют дважды', 'Ein Austauschtoken wird zweimal benutzt'],
    sentence: [
      'Обменный токен действует один раз; найденный потом, он ничего не даёт.',
      'Ein Austauschtoken gilt einmal; später gefunden, ist es nichts mehr wert.',
    ],
  },
  'other-letter': {
    title: ['Другая буква алфавита', 'Ein anderer Buchstabe'],
    sentence: [
      'Пациент записан с «ё», вводит «е» и всё равно найден.',
      'Der Patient ist mit ё gespeichert, tippt е und wird trotzdem gefunden.',
    ],
  },
  'other-keyboard': {
    title: ['Знаки с другой клавиатуры', 'Akzente einer anderen Tastatur'],
    sentence: [
      'Буквы со знаками приходят другими байтами, чем хранятся, и пациент найден.',
      'Die Akzente kommen in anderen Bytes an, als sie gespeichert sind, und der Patient wird gefunden.',
    ],
  },
  'ehr-away': {
    title: ['Сервер ЭМК недоступен', 'Der EHR-Server ist weg'],
    sentence: [
      'Без сервера ЭМК нет обменного токена, и клиент узнаёт почему.',
      'Ohne den EHR-Server gibt es kein Austauschtoken, und der Client erfährt, warum.',
    ],
  },
  'authenticate-reply-lost': {
    title: ['Ответ на идентификацию потерян', 'Die Antwort auf eine Identifizierung geht verloren'],
    sentence: [
      'Сервер ЭМК связал пользователя, но ответ потерян; чтение карты приносит подпись.',
      'Der EHR-Server verknüpft den Nutzer, seine Antwort geht verloren; das Lesen der Akte bringt die Signatur.',
    ],
  },
  'second-device': {
    title: ['Второе устройство', 'Ein zweites Gerät'],
    sentence: [
      'Другое устройство, где ничего не сохранено, читает карту после входа: связь принадлежит пользователю.',
      'Ein anderes Gerät, das nichts behalten hat, liest nach der Anmeldung die Akte: die Verknüpfung gehört dem Nutzer.',
    ],
  },
  'return-after-logout': {
    title: ['Снова после выхода', 'Zurück nach dem Abmelden'],
    sentence: [
      'Выход завершает сеанс, но не связь: следующий вход ведёт к карте.',
      'Abmelden beendet die Sitzung und nicht die Verknüpfung: die nächste Anmeldung führt zur Akte.',
    ],
  },
  'linked-again': {
    title: ['Связано заново', 'Wieder verknüpft'],
    sentence: [
      'После отключения карта связывается как в первый раз, с новой подписью.',
      'Nach einer Trennung wird die Akte wie beim ersten Mal verknüpft, mit einer neuen Signatur.',
    ],
  },
  'account-deleted': {
    title: ['Учётная запись удалена', 'Das Konto wird gelöscht'],
    sentence: [
      'Сначала узнаёт сервер ЭМК, а потом сервер авторизации забывает пользователя.',
      'Zuerst erfährt es der EHR-Server, dann vergisst der Autorisierungsserver den Nutzer.',
    ],
  },
  'taken-over': {
    title: ['Сервер авторизации захвачен', 'Der Autorisierungsserver ist gekapert'],
    sentence: [
      'Его внутренний пароль не открывает карт: нужна ещё подпись каждого пользователя.',
      'Sein internes Passwort öffnet keine Akte: es braucht auch die Signatur jedes Nutzers.',
    ],
  },
};
