"""Whether two ways of writing a country mean the same one."""

import unicodedata

# ISO 3166-1 code first, then names, adjectives and other spellings, in the form `_uac_place` gives.
_uac_countries = """
ad,andorra;ae,united arab emirates,uae,emirates;af,afghanistan;ag,antigua and barbuda;ai,anguilla;
al,albania;am,armenia;ao,angola;aq,antarctica;ar,argentina,argentine,argentinian;as,american samoa;
at,austria,austrian,österreich;au,australia,australian,aus;aw,aruba;ax,åland islands;az,azerbaijan;
ba,bosnia and herzegovina;bb,barbados;bd,bangladesh,bangladeshi;be,belgium,belgian;bf,burkina faso;
bg,bulgaria,bulgarian;bh,bahrain;bi,burundi;bj,benin;bl,saint barthélemy;bm,bermuda;
bn,brunei,brunei darussalam;bo,bolivia,bolivian;bq,caribbean netherlands;
br,brazil,brazilian,brasil,bra;bs,bahamas,the bahamas;bt,bhutan;bv,bouvet island;bw,botswana;
by,belarus;bz,belize;ca,canada,canadian,can;cc,cocos islands;
cd,democratic republic of the congo,dr congo;cf,central african republic;cg,republic of the congo;
ch,switzerland,swiss,che;ci,côte d ivoire,ivory coast;ck,cook islands;cl,chile,chilean;cm,cameroon;
cn,china,chinese,mainland china,people s republic of china,prc,chn;co,colombia,colombian;
cr,costa rica;cu,cuba,cuban;cv,cape verde,cabo verde;cw,curaçao;cx,christmas island;cy,cyprus;
cz,czech republic,czechia,czech;de,germany,german,deutschland,deu;dj,djibouti;dk,denmark,danish;
dm,dominica;do,dominican republic;dz,algeria;ec,ecuador,ecuadorian;ee,estonia;eg,egypt,egyptian;
eh,western sahara;er,eritrea;es,spain,spanish,españa,esp;et,ethiopia;fi,finland,finnish;fj,fiji;
fk,falkland islands;fm,micronesia;fo,faroe islands;fr,france,french,fra;ga,gabon;
gb,united kingdom,uk,u k,great britain,britain,british,england,scotland,wales,northern ireland,gbr;
gd,grenada;ge,georgia;gf,french guiana;gg,guernsey;gh,ghana;gi,gibraltar;gl,greenland;
gm,gambia,the gambia;gn,guinea;gp,guadeloupe;gq,equatorial guinea;gr,greece,greek;gs,south georgia;
gt,guatemala;gu,guam;gw,guinea bissau;gy,guyana;hk,hong kong,hong kong sar;hm,heard island;
hn,honduras;hr,croatia,croatian;ht,haiti;hu,hungary,hungarian;id,indonesia,indonesian;
ie,ireland,republic of ireland,irish,irl;il,israel,israeli;im,isle of man;in,india,indian,ind;
io,british indian ocean territory;iq,iraq;ir,iran,iranian;is,iceland,icelandic;
it,italy,italian,italia,ita;je,jersey;jm,jamaica,jamaican;jo,jordan;jp,japan,japanese,jpn;
ke,kenya,kenyan;kg,kyrgyzstan;kh,cambodia;ki,kiribati;km,comoros;kn,saint kitts and nevis;
kp,north korea;kr,south korea,korea,republic of korea,korean,south korean,kor;kw,kuwait;
ky,cayman islands;kz,kazakhstan;la,laos,lao;lb,lebanon;lc,saint lucia;li,liechtenstein;
lk,sri lanka,sri lankan;lr,liberia;ls,lesotho;lt,lithuania;lu,luxembourg;lv,latvia;ly,libya;
ma,morocco,moroccan;mc,monaco;md,moldova;me,montenegro;mf,saint martin;mg,madagascar;
mh,marshall islands;mk,north macedonia,macedonia;ml,mali;mm,myanmar,burma;mn,mongolia;mo,macau;
mp,northern mariana islands;mq,martinique;mr,mauritania;ms,montserrat;mt,malta;mu,mauritius;
mv,maldives,the maldives;mw,malawi;mx,mexico,mexican,méxico,mex;my,malaysia,malaysian;
mz,mozambique;na,namibia;nc,new caledonia;ne,niger;nf,norfolk island;ng,nigeria,nigerian;
ni,nicaragua;nl,netherlands,the netherlands,holland,dutch,nld;no,norway,norwegian;
np,nepal,nepali,nepalese;nr,nauru;nu,niue;nz,new zealand,new zealander,nzl;om,oman;pa,panama;
pe,peru,peruvian;pf,french polynesia;pg,papua new guinea;
ph,philippines,the philippines,philippine,filipino;pk,pakistan,pakistani;pl,poland,polish;
pm,saint pierre and miquelon;pn,pitcairn;pr,puerto rico;ps,palestine;pt,portugal,portuguese,prt;
pw,palau;py,paraguay;qa,qatar;re,réunion;ro,romania,romanian;rs,serbia;
ru,russia,russian federation,russian,rus;rw,rwanda;sa,saudi arabia,saudi;sb,solomon islands;
sc,seychelles;sd,sudan;se,sweden,swedish,swe;sg,singapore,singaporean,sgp;sh,saint helena;
si,slovenia;sj,svalbard and jan mayen;sk,slovakia;sl,sierra leone;sm,san marino;sn,senegal;
so,somalia;sr,suriname;ss,south sudan;st,sao tome and principe;sv,el salvador;sx,sint maarten;
sy,syria,syrian;sz,eswatini,swaziland;tc,turks and caicos islands;td,chad;
tf,french southern territories;tg,togo;th,thailand,thai,tha;tj,tajikistan;tk,tokelau;
tl,east timor,timor leste;tm,turkmenistan;tn,tunisia;to,tonga;tr,turkey,türkiye,turkish,tur;
tt,trinidad and tobago;tv,tuvalu;tw,taiwan,taiwanese;tz,tanzania;ua,ukraine,ukrainian;ug,uganda;
um,us minor outlying islands;
us,united states,united states of america,usa,u s a,u s,america,american;uy,uruguay;uz,uzbekistan;
va,vatican city,vatican;vc,saint vincent;ve,venezuela,venezuelan;vg,british virgin islands;
vi,us virgin islands;vn,vietnam,viet nam,vietnamese;vu,vanuatu;wf,wallis and futuna;ws,samoa;
ye,yemen;yt,mayotte;za,south africa,south african,zaf;zm,zambia;zw,zimbabwe;
"""
# The 29 states without checks at common borders (all of them since January 1, 2025).
_uac_schengen_text = (
    "at be bg ch cz de dk ee es fi fr gr hr hu is it li lt lu lv mt nl no pl pt ro se si sk"
)
# Filled here and not on first use, so that a sandbox that is kept ready has it ready
_uac_country_codes: dict[str, str] = {
    known: entry.strip().split(",")[0]
    for entry in _uac_countries.split(";")
    for known in entry.strip().split(",")
}


def _uac_place(name: str) -> str:
    if name.isascii() and name.isalpha():
        return name.casefold()
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join("".join([c if c.isalnum() else " " for c in folded]).split())


def _uac_code(name: str) -> str:
    """The country's code, or the name itself in plain form when it is not a known country."""
    plain = _uac_place(name)
    short = plain.removeprefix("the ")
    return _uac_country_codes.get(plain) or _uac_country_codes.get(short) or plain


def is_country(name: str) -> bool:
    """Whether the text alone is enough to know a country by."""
    plain = _uac_place(name)
    # Not the codes, which are words and American states as well, nor the state of Georgia.
    if plain == "georgia" or (len(plain) == 2 and name.strip() not in ("US", "UK")):
        return False
    return len(_uac_code(name)) == 2


def same_country(first: str, second: str) -> bool:
    """Whether both name the same country (`USA`, `United States`); unknown names by their words."""
    return _uac_code(first) == _uac_code(second)


def in_schengen(name: str) -> bool:
    """Whether the text names the Schengen area or one of its states."""
    code = _uac_code(name)
    return code in _uac_schengen_text.split() or "schengen" in code.split()
